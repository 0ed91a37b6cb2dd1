"""Questions that networks answer: exactly where that is possible, else by numerical integration."""
