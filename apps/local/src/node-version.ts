/** TypeScript runs without a flag from here on. */
const OLDEST = [22, 18] as const;

/** What is wrong with this Node, in a sentence; undefined where nothing is. */
export function nodeTooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined;
  return `Lectern needs Node ${OLDEST.join('.')} or later; this is Node ${version}. Start it with \`npm start\`, which brings its own Node, or install a newer one.`;
}
