import preset from '../../jest.preset.mjs';

export default { ...preset, setupFiles: [], testMatch: ['<rootDir>/*.test.ts'], testTimeout: 300_000 };
