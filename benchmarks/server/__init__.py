"""Load on servers: open connections, durable actions per second, how long an acknowledgement takes, what it costs."""
