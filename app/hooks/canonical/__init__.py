"""Values in the form in which the API server stores them, so that what is answered equals what is observed."""
