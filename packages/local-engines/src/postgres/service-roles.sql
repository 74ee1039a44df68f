-- Gives each Lectern service a role that can access only its own schema, and makes it the
-- owner of the schema's existing contents. Run it in Lectern's database as the database's
-- owner. Idempotent: running it again only changes passwords.
--   lectern.role_passwords    a JSON object: the name of each schema, and the password of its role `lectern_<schema>`
--   lectern.dedicated_server  'on' if only Lectern uses the server. Only the administrator
--                             can then connect to its other databases.
DO $roles$
DECLARE
  passwords CONSTANT jsonb := current_setting('lectern.role_passwords')::jsonb;
  is_dedicated CONSTANT boolean := coalesce(current_setting('lectern.dedicated_server', true), 'off') = 'on';
  own_schema text;
  own_role text;
  password text;
  statement text;
BEGIN
  -- Takes the lock of migrations, so that none runs at the same time.
  PERFORM pg_advisory_xact_lock(72707369);
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  IF EXISTS (SELECT FROM pg_namespace WHERE nspname = 'public') THEN
    REVOKE ALL ON SCHEMA public FROM PUBLIC;
  END IF;
  IF is_dedicated THEN
    FOR statement IN
      SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', datname) FROM pg_database
      WHERE datname <> current_database() AND pg_has_role(current_user, datdba, 'USAGE')
    LOOP
      EXECUTE statement;
    END LOOP;
  END IF;

  FOR own_schema, password IN SELECT key, value FROM jsonb_each_text(passwords) LOOP
    own_role := 'lectern_' || own_schema;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = own_role) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', own_role);
    END IF;
    IF EXISTS (
      SELECT FROM pg_roles
      WHERE rolname = own_role AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)
    ) THEN
      EXECUTE format('ALTER ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', own_role);
    END IF;
    BEGIN
      EXECUTE format('ALTER ROLE %I LOGIN PASSWORD %L', own_role, password);
    EXCEPTION WHEN OTHERS THEN
      -- Hides the original error, which would contain the password.
      RAISE EXCEPTION 'the password of the role % could not be set: %', own_role, SQLERRM;
    END;
    -- An administrator who is not a superuser can transfer ownership only to roles that it is
    -- a member of.
    IF NOT pg_has_role(current_user, own_role, 'SET') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', own_role);
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), own_role);
    IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = own_schema) THEN
      EXECUTE format('CREATE SCHEMA %I AUTHORIZATION %I', own_schema, own_role);
    ELSIF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = own_schema AND nspowner = own_role::regrole) THEN
      EXECUTE format('ALTER SCHEMA %I OWNER TO %I', own_schema, own_role);
    END IF;
    EXECUTE format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', own_schema);

    FOR statement IN
      SELECT format('ALTER %s %s OWNER TO %I', kind, name, own_role)
      FROM (
        SELECT
          CASE relkind
            WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
            WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'c' THEN 'TYPE' ELSE 'TABLE'
          END AS kind,
          format('%I.%I', own_schema, relname) AS name, oid, 'pg_class'::regclass AS catalog, relowner AS owner
        FROM pg_class
        WHERE relnamespace = own_schema::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c')
          -- The sequence of a column gets the owner of the table.
          AND NOT (relkind = 'S' AND EXISTS (
            SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype IN ('a', 'i')
          ))
        UNION ALL
        SELECT
          CASE typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END,
          format('%I.%I', own_schema, typname), oid, 'pg_type'::regclass, typowner
        FROM pg_type WHERE typnamespace = own_schema::regnamespace AND typtype IN ('e', 'd', 'r')
        UNION ALL
        SELECT
          'ROUTINE',
          format('%I.%I(%s)', own_schema, proname, pg_get_function_identity_arguments(oid)), oid, 'pg_proc'::regclass, proowner
        FROM pg_proc WHERE pronamespace = own_schema::regnamespace
      ) AS objects
      WHERE owner <> own_role::regrole
        AND NOT EXISTS (
          SELECT FROM pg_depend
          WHERE classid = objects.catalog AND objid = objects.oid
            -- Skips objects of extensions, and range constructors, which belong to
            -- PostgreSQL.
            AND (deptype = 'e' OR (deptype = 'i' AND classid = 'pg_proc'::regclass))
        )
    LOOP
      EXECUTE statement;
    END LOOP;
  END LOOP;
END
$roles$;
