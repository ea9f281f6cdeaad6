"""An embedded Postgres, used if no database is configured."""
