"""Tables, as their logs describe them. Needs neither HTTP nor a database."""
