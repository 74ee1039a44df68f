import { tmpdir } from 'node:os';
import type pg from 'pg';

/**
 * The session lock that the functions below take. It outlives a rollback, and a read-only
 * transaction allows it.
 */
const CANARY = 7_001;

const canary = (name: string, argument: string, returns = 'text') =>
  `CREATE FUNCTION ${name}(${argument}) RETURNS ${returns} LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN PERFORM pg_advisory_lock(${CANARY}); RETURN NULL; END$$;`;

const ROW_FUNCTIONS = ['salary_of', 'leak', 'full_name', 'label', 'lower_name'];

/**
 * Typical tables, plus operators, casts, domains and views that would call a function implicitly.
 * Every function takes the canary's lock. `lower(people)`, `abs(text)` and others are in `public`,
 * to shadow the built-in functions.
 */
export const SCHEMA_SQL = `
  CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
  CREATE TYPE status AS ENUM ('active', 'retired');
  CREATE TYPE address AS (street text, zip text);
  CREATE DOMAIN nickname AS text CHECK (VALUE ~ '^n');
  CREATE TABLE people (id serial PRIMARY KEY, name text NOT NULL, born date, status status NOT NULL DEFAULT 'active',
    address address, tags text[], email citext, nick nickname);
  INSERT INTO people (name, born, address, tags, email, nick) SELECT 'Person ' || n, date '1990-01-01' + n, ROW('Street ' || n, n)::address,
    ARRAY['vip'], 'p' || n || '@example.com', 'n' || n FROM generate_series(1, 5) n;
  CREATE TABLE orders (id serial PRIMARY KEY, person int REFERENCES people, amount numeric, placed timestamptz, data jsonb);
  INSERT INTO orders (person, amount, placed, data) SELECT n, n * 7, timestamptz '2024-01-01' + n * interval '1 day',
    '{"color": "red", "n": 2, "size": ["s", "m"]}' FROM generate_series(1, 5) n;
  CREATE TABLE parts (id int PRIMARY KEY, parent int, name text);
  INSERT INTO parts VALUES (1, NULL, 'car'), (2, 1, 'wheel');
  CREATE TABLE events (at date, what text) PARTITION BY RANGE (at);
  CREATE TABLE events_2024 PARTITION OF events FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
  CREATE VIEW grown AS SELECT p.id, p.name, (p.address).street FROM people p WHERE p.born < '2010-01-01' AND p.status = 'active';
  CREATE VIEW monthly AS SELECT date_trunc('month', o.placed) AS month, sum(o.amount) AS total FROM orders o GROUP BY 1;
  CREATE MATERIALIZED VIEW monthly_stored AS SELECT * FROM monthly;
  CREATE TABLE own_notes (owner text, note text);
  ALTER TABLE own_notes ENABLE ROW LEVEL SECURITY;
  CREATE POLICY own ON own_notes USING (owner = current_user);
  CREATE SCHEMA secret; CREATE TABLE secret.salaries (id int, amount numeric); INSERT INTO secret.salaries VALUES (1, 471147);
  CREATE TABLE denied (secret text); INSERT INTO denied VALUES ('580236');
  ${ROW_FUNCTIONS.map((name) => canary(name, 'people') + canary(name, 'orders') + canary(name, 'text')).join('\n')}
  ${canary('count', 'people')} ${canary('lower', 'people')} ${canary('abs', 'text')} ${canary('length', 'status', 'int')} ${canary('upper', 'nickname')}
  ${canary('sneak', 'integer, integer', 'boolean')} ${canary('sneak_text', 'text, status', 'boolean')} ${canary('sneak_people', 'people, people', 'boolean')}
  CREATE OPERATOR = (LEFTARG = text, RIGHTARG = status, FUNCTION = sneak_text);
  CREATE OPERATOR <> (LEFTARG = people, RIGHTARG = people, FUNCTION = sneak_people);
  CREATE OPERATOR === (LEFTARG = integer, RIGHTARG = integer, FUNCTION = sneak);
  CREATE OPERATOR public.+ (LEFTARG = people, RIGHTARG = people, FUNCTION = sneak_people);
  CREATE FUNCTION state(text, text) RETURNS text LANGUAGE plpgsql AS $$BEGIN PERFORM pg_advisory_lock(${CANARY}); RETURN $1; END$$;
  CREATE AGGREGATE gather(text) (SFUNC = state, STYPE = text);
  CREATE TYPE cast_row AS (a text); CREATE TABLE casting (id int, c cast_row);
  INSERT INTO casting VALUES (1, ROW('x')::cast_row);
  ${canary('cast_out', 'cast_row')} CREATE CAST (cast_row AS text) WITH FUNCTION cast_out(cast_row) AS IMPLICIT;
  CREATE TABLE cast_whole (id int, name text); INSERT INTO cast_whole VALUES (1, 'x');
  ${canary('whole_out', 'cast_whole', 'json')} CREATE CAST (cast_whole AS json) WITH FUNCTION whole_out(cast_whole) AS IMPLICIT;
  ${canary('checked', 'text', 'boolean')} CREATE DOMAIN trap AS text CHECK (checked(VALUE) IS NOT FALSE);
  CREATE TABLE trapped (id int, t trap, ts trap[]);
  CREATE DOMAIN over_trap AS text CHECK (VALUE <> ('x'::trap)::text);
  CREATE TABLE over_trapped (id int, ts over_trap[]);
  CREATE DOMAIN email AS citext CHECK (VALUE ~ '@');
  CREATE TABLE contacts (id int, email email); INSERT INTO contacts VALUES (1, 'Ann@example.com');
  CREATE VIEW labeled AS SELECT format('%s-%s', lpad(id::text, 3, '0'), email) AS label, ('n' || id)::nickname AS nick
    FROM contacts WHERE email LIKE 'ANN@%'::citext AND citext_eq(email, 'ann@example.com');
  CREATE VIEW sneaking AS SELECT id FROM people WHERE id === 1;
  CREATE TYPE ordered AS (a int);
  ${canary('ordered_cmp', 'ordered, ordered', 'int')} ${canary('ordered_is', 'ordered, ordered', 'boolean')}
  CREATE OPERATOR <# (LEFTARG = ordered, RIGHTARG = ordered, FUNCTION = ordered_is);
  CREATE OPERATOR <=# (LEFTARG = ordered, RIGHTARG = ordered, FUNCTION = ordered_is);
  CREATE OPERATOR =# (LEFTARG = ordered, RIGHTARG = ordered, FUNCTION = ordered_is);
  CREATE OPERATOR >=# (LEFTARG = ordered, RIGHTARG = ordered, FUNCTION = ordered_is);
  CREATE OPERATOR ># (LEFTARG = ordered, RIGHTARG = ordered, FUNCTION = ordered_is);
  CREATE OPERATOR CLASS ordered_ops DEFAULT FOR TYPE ordered USING btree AS
    OPERATOR 1 <#, OPERATOR 2 <=#, OPERATOR 3 =#, OPERATOR 4 >=#, OPERATOR 5 >#, FUNCTION 1 ordered_cmp(ordered, ordered);
  CREATE TABLE in_order (id int, o ordered); INSERT INTO in_order VALUES (1, ROW(1)::ordered), (2, ROW(2)::ordered);
  CREATE VIEW calling AS SELECT id, salary_of(name) AS s FROM people;
  CREATE VIEW nested_calling AS SELECT * FROM calling;
  CREATE VIEW reading AS SELECT pg_read_file('/etc/hostname') AS content;
  CREATE VIEW catalog AS SELECT rolname, rolpassword FROM pg_authid;
  CREATE TABLE policed (id int, name text); INSERT INTO policed VALUES (1, 'x');
  ALTER TABLE policed ENABLE ROW LEVEL SECURITY; ALTER TABLE policed FORCE ROW LEVEL SECURITY;
  CREATE POLICY checks ON policed USING (salary_of(name) IS NULL);`;

/** The tables that `LEGITIMATE_QUERIES` read. */
export const READABLE_TABLES = [
  'people',
  'orders',
  'parts',
  'events',
  'grown',
  'monthly',
  'monthly_stored',
  'own_notes',
] as const;

/** Tables that no accepted query may read. */
export const FORBIDDEN_TABLES = [
  'casting',
  'cast_whole',
  'trapped',
  'over_trapped',
  'sneaking',
  'in_order',
  'calling',
  'nested_calling',
  'reading',
  'catalog',
] as const;

/** Adds extensions that access files and other databases, with foreign tables and partitions. */
export async function addExternalAccess(owner: pg.Client): Promise<void> {
  await owner.query(`
    CREATE EXTENSION dblink SCHEMA public; CREATE EXTENSION file_fdw SCHEMA public;
    CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
    CREATE FOREIGN TABLE passwords (line text) SERVER files OPTIONS (filename '/etc/passwd');
    CREATE TABLE parted (line text) PARTITION BY LIST (line);
    CREATE FOREIGN TABLE parted_file PARTITION OF parted DEFAULT SERVER files OPTIONS (filename '/etc/passwd');
    CREATE TABLE parent (line text);
    CREATE FOREIGN TABLE heir () INHERITS (parent) SERVER files OPTIONS (filename '/etc/passwd');
    CREATE FOREIGN TABLE programs (line text) SERVER files OPTIONS (program 'touch ${tmpdir()}/lectern-canary-program');
    CREATE VIEW over_file AS SELECT line FROM passwords;`);
}
