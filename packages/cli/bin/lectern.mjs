#!/usr/bin/env node
// Plain JavaScript, so that old versions of Node print this message instead of a syntax error.
const OLDEST = [22, 18];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(`lectern requires Node ${OLDEST.join('.')} or later. This is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  const { main } = await import('../src/main.ts');
  await main();
}
