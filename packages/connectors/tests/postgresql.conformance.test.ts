import { testDatabase } from '@lectern/testing';
import pg from 'pg';
import type { Connector } from '#connector';
import { postgresqlType } from '#postgresql/postgresql-type';
import { runConformance } from './conformance/run-conformance.ts';
import { openType } from './support/open-type.ts';
import { createTestHost } from './support/test-host.ts';

runConformance({
  type: 'postgresql',
  lacks: ['requests', 'tokens', 'change feed', 'permissions', 'writing'],
  keepsIdOnRename: true,
  start: async () => {
    const database = await testDatabase();
    const url = new URL(database.url);
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query('CREATE TABLE notes (id bigserial PRIMARY KEY, title text NOT NULL, body text)');
    const host = createTestHost({ allow: '127.0.0.1,localhost' });
    const config = { host: url.hostname, port: Number(url.port), database: url.pathname.slice(1) };
    const user = decodeURIComponent(url.username);
    const password = decodeURIComponent(url.password);
    const opened: Connector[] = [];
    const keyOf = (id: string) => id.split('.').at(-1);
    return {
      open: (credentials) => {
        const login = { user, password: credentials === 'wrong' ? 'no' : password };
        const connector = openType(postgresqlType, config, login, host);
        opened.push(connector);
        return connector;
      },
      add: async (wanted) => {
        const { rows } = await client.query(
          'INSERT INTO notes (title, body) SELECT * FROM unnest($1::text[], $2::text[]) RETURNING id',
          [wanted.map(({ name }) => name), wanted.map(({ text }) => text)],
        );
        return rows.map(({ id }) => `public.notes.${id}`);
      },
      change: async (id, text) =>
        void (await client.query('UPDATE notes SET body = $2 WHERE id = $1', [keyOf(id), text])),
      rename: async (id, name) => {
        await client.query('UPDATE notes SET title = $2 WHERE id = $1', [keyOf(id), name]);
        return id;
      },
      remove: async (id) => void (await client.query('DELETE FROM notes WHERE id = $1', [keyOf(id)])),
      stop: async () => {
        await Promise.all(opened.map((connector) => connector.close?.()));
        await client.end();
        await host.close();
        await database.drop();
      },
    };
  },
});
