"""The web service: tables for people and bots, over HTTP and WebSocket, stored in a database."""
