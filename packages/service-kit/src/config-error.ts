/** Invalid settings; the message lists every problem. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`Settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}
