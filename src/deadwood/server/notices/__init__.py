"""Notices for people whose page is closed: Web Push, and webhooks to addresses that they give."""
