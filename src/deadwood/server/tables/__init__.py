"""Tables as their logs have them; runs without HTTP and without a database."""
