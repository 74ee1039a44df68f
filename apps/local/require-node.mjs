// Plain JavaScript, so that old versions of Node can print this message. `npm start` and other scripts run it first.
const OLDEST = [22, 18];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `Lectern needs Node ${OLDEST.join('.')} or later, but this is Node ${process.versions.node}. \`npm ci\` installs Node 24 as the package "node" if install scripts are enabled. Run \`npm ci\` with install scripts, or install a newer Node.\n`,
  );
  process.exit(1);
}
