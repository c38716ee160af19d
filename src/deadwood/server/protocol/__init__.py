"""What clients and server say to each other, independent of sockets and databases."""
