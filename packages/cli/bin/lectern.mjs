#!/usr/bin/env node
// Plain JavaScript, so that old versions of Node print the message below, not a syntax error.
const MIN_NODE = [22, 18];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])) {
  process.stderr.write(
    `lectern requires Node ${MIN_NODE.join('.')} or later. This is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  const { main } = await import('../src/main.ts');
  await main();
}
