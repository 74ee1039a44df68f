import preset from '../../jest.preset.mjs';

/** Each test file starts a whole system: one after the other, and with time for a slow machine. */
export default { ...preset, maxWorkers: 1, testTimeout: 600_000 };
