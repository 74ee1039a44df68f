/** `npm run dev`: starts Lectern like `npm start`, restarts services when their code changes, and serves the console with hot reload. */
process.env.LECTERN_DEV = '1';
await import('#main');
