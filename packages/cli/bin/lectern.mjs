#!/usr/bin/env node
// Plain JavaScript, so that a Node which cannot read TypeScript can still say so.
const OLDEST = [22, 18];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(`lectern needs Node ${OLDEST.join('.')} or later, and this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  const { main } = await import('../src/main.ts');
  await main();
}
