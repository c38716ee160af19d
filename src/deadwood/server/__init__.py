"""The web service: tables for people and bots, over HTTP and WebSocket, kept in a database."""
