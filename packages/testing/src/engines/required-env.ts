/** A variable that Jest's globalSetup sets. Throws if the workspace does not use jest.engines.mjs. */
export function requiredEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: this workspace's jest.config.mjs must use jest.engines.mjs.`);
  return value;
}
