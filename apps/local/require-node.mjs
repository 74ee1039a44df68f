// Plain JavaScript, so that a Node which cannot read TypeScript can still say so. `npm start` and `npm run keys` run it first.
const OLDEST = [22, 18];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `Lectern needs Node ${OLDEST.join('.')} or later, and this is Node ${process.versions.node}. \`npm ci\` brings its own Node 24 as the package "node", unless install scripts are switched off: run \`npm ci\` with them, or install a newer Node.\n`,
  );
  process.exit(1);
}
