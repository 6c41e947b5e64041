# ITINERARYD: the built daemon. The benchmark's own adapter starts it and makes the trip.
. adapters/itineraryd.sh
