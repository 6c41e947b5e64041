// An app imports only TripClient, whose API uses the types of these two modules.
@_exported import TripModel
@_exported import TripProtocol
