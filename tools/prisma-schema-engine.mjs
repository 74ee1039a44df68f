#!/usr/bin/env node
// A schema-engine for `prisma migrate …` made of @prisma/schema-engine-wasm + @prisma/adapter-pg (no downloaded binary).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    version: { type: 'boolean', short: 'V' },
    datamodels: { type: 'string', multiple: true, short: 'd' },
    datasource: { type: 'string' },
    'extension-types': { type: 'string' },
    'enabled-preview-features': { type: 'string' },
  },
});
if (values.version) {
  console.log('schema-engine-cli wasm');
  process.exit(0);
}
const ds = values.datasource ? JSON.parse(values.datasource) : {};
const log = (level, fields) =>
  process.stderr.write(
    `${JSON.stringify({ timestamp: new Date().toISOString(), level, fields, target: 'schema_engine::logger' })}\n`,
  );
const split = (url) => {
  const u = new URL(url);
  const schema = u.searchParams.get('schema') ?? 'public';
  const db = decodeURIComponent(u.pathname.slice(1));
  u.searchParams.delete('schema');
  return { u, schema, db };
};

if (process.env.SHIM_LOG) {
  const { appendFileSync } = await import('node:fs');
  appendFileSync(process.env.SHIM_LOG, `${JSON.stringify(process.argv.slice(2))}\n`);
}

if (positionals[0] === 'cli') {
  // can-connect-to-database | create-database | drop-database
  const { u, db } = split(ds.url);
  const admin = positionals[1] === 'can-connect-to-database' ? u : Object.assign(new URL(u), { pathname: '/postgres' });
  const c = new pg.Client({ connectionString: admin.href });
  try {
    await c.connect();
    if (positionals[1] === 'create-database') await c.query(`CREATE DATABASE ${c.escapeIdentifier(db)}`);
    if (positionals[1] === 'drop-database') await c.query(`DROP DATABASE ${c.escapeIdentifier(db)}`);
    await c.end();
    log('INFO', { message: 'ok' });
    process.exit(0);
  } catch (e) {
    const code = e.code === '3D000' ? 'P1003' : e.code === '28P01' ? 'P1000' : 'P1001';
    log('INFO', { message: 'starting' });
    log('ERROR', {
      is_panic: false,
      error_code: code,
      message: e.code === '3D000' ? `Database \`${db}\` does not exist` : String(e.message || e.code),
    });
    process.exit(1);
  }
}

// adapter-pg 7 does not support the catalogs ("char" columns, prisma/orm#27403) and cuts scripts at every ';' — both are patched here.
function patch(q) {
  const io = q.performIO.bind(q),
    raw = q.queryRaw.bind(q);
  let odd = [];
  q.performIO = async (x) => {
    const r = await io(x);
    odd = r.fields?.map((f) => f.dataTypeID) ?? [];
    r.fields?.forEach((f) => {
      if (OTHER.has(f.dataTypeID)) f.dataTypeID = 25;
    });
    return r;
  };
  q.queryRaw = async (x) => {
    const r = await raw(x);
    odd.forEach((t, i) => {
      if (t === 18) r.columnTypes[i] = ColumnTypeEnum.Character;
    });
    return r;
  };
  if (q.executeScript)
    q.executeScript = async (script) => {
      try {
        await q.client.query(script);
      } catch (e) {
        q.onError(e);
      }
    };
  if (q.startTransaction) {
    const st = q.startTransaction.bind(q);
    q.startTransaction = async (i) => patch(await st(i));
  }
  return q;
}
const OTHER = new Set([18, 24, 194, 2205, 2206]);

const require = createRequire(import.meta.url);
const dir = process.env.WASM_DIR ?? dirname(require.resolve('@prisma/schema-engine-wasm'));
const glue = await import(join(dir, 'schema_engine_bg.js'));
const wasm = await WebAssembly.instantiate(new WebAssembly.Module(readFileSync(join(dir, 'schema_engine_bg.wasm'))), {
  './schema_engine_bg.js': glue,
});
glue.__wbg_set_wasm(wasm.exports);
wasm.exports.__wbindgen_start();

// A fresh engine per call: the wasm engine hands its shadow-database factory out only once.
const make = async () => {
  const { u, schema, db } = ds.url
    ? split(ds.url)
    : { u: new URL('postgresql://x@127.0.0.1:1/x'), schema: 'public', db: 'x' };
  const cfg = (x) => ({ connectionString: x.u.href, max: 4, options: `-c search_path="${x.schema}"` });
  const open = async (x, database) => {
    const c = new pg.Client({
      ...cfg(x),
      ...(database && { connectionString: Object.assign(new URL(x.u), { pathname: `/${database}` }).href }),
    });
    await c.connect();
    try {
      await c.query(`CREATE SCHEMA IF NOT EXISTS ${c.escapeIdentifier(x.schema)}`);
    } finally {
      await c.end();
    }
    return new PrismaPg(
      {
        ...cfg(x),
        ...(database && { connectionString: Object.assign(new URL(x.u), { pathname: `/${database}` }).href }),
      },
      { schema: x.schema },
    ).connect();
  };
  const main = { u, schema, db };
  const factory = {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: async () => patch(ds.url ? await open(main) : await new PrismaPg(cfg(main), { schema }).connect()),
    connectToShadowDb: async () => {
      if (ds.shadowDatabaseUrl) return patch(await open(split(ds.shadowDatabaseUrl)));
      const name = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
      const admin = new pg.Client({ connectionString: main.u.href });
      await admin.connect();
      await admin.query(`CREATE DATABASE "${name}"`);
      const a = patch(await open(main, name));
      const end = a.dispose.bind(a);
      a.dispose = async () => {
        await end();
        await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
        await admin.end();
      };
      return a;
    },
  };
  const datamodels = (values.datamodels ?? []).map((p) => [p, readFileSync(p, 'utf8')]);
  const cb = (m) => {
    if (process.env.SHIM_LOG) process.stderr.write(`${String(m)}\n`);
  };
  const e = await glue.SchemaEngine.new(
    { datamodels: datamodels.length ? datamodels : undefined },
    cb,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
  return e;
};

const name = { getDatabaseVersion: 'version' };
async function call(method, params) {
  const e = await make();
  // The wasm engine reaches its shadow database in these two only after a devDiagnostic has warmed it.
  if (method === 'evaluateDataLoss' || method === 'createMigration')
    await e.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters });
  return e[name[method] ?? method](params);
}
const local = {
  async createDatabase({ datasource }) {
    const { u, db } = split(datasource.url ?? ds.url);
    const c = new pg.Client({ connectionString: Object.assign(new URL(u), { pathname: '/postgres' }).href });
    await c.connect();
    try {
      await c.query(`CREATE DATABASE ${c.escapeIdentifier(db)}`);
    } finally {
      await c.end();
    }
    return { databaseName: db };
  },
};
let nextPrint = 1;
for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  const msg = JSON.parse(line);
  if (!msg.method) continue;
  if (process.env.SHIM_LOG) {
    const { appendFileSync } = await import('node:fs');
    appendFileSync(process.env.SHIM_LOG, `${line.slice(0, 2000)}\n`);
  }
  const out = (o) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: msg.id, ...o })}\n`);
  try {
    const r = local[msg.method] ? await local[msg.method](msg.params) : await call(msg.method, msg.params ?? null);
    if (msg.method === 'diff' && r?.stdout != null) {
      process.stdout.write(
        `${JSON.stringify({
          jsonrpc: '2.0',
          id: nextPrint++ + 1e6,
          method: 'print',
          params: { content: r.stdout.replace(/\n$/, '') },
        })}\n`,
      );
    }
    out({ result: r ?? {} });
  } catch (e) {
    let data;
    try {
      data = JSON.parse(e.message);
    } catch {
      data = { is_panic: false, message: e.message, error_code: e.code ?? null, meta: e.meta ?? null };
    }
    out({
      error: {
        code: 4466,
        message: 'An error happened. Check the data field for details.',
        data: {
          is_panic: false,
          message: data.message ?? e.message,
          error_code: e.code ?? data.error_code ?? null,
          meta: data.meta ?? null,
        },
      },
    });
  }
}
process.exit(0);
