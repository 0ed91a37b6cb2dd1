"""What parts are: their protocols, options and knowledge, and how they report and break ties."""
