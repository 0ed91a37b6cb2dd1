"""Tables: the Dataset that every method works on, and how files and data frames become one."""
