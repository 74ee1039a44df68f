/** A value that globalSetup leaves for the tests. Throws where the workspace's Jest does not use it. */
export function requiredEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: this workspace's jest.config.mjs must use jest.engines.mjs.`);
  return value;
}
