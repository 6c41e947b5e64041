// An app imports TripClient only: its API is made of the types of these two.
@_exported import TripModel
@_exported import TripProtocol
