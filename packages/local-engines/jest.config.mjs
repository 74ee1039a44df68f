import preset from '../../jest.preset.mjs';

// Engines have up to 10 s to stop, and start slowly on a loaded machine.
export default { ...preset, testTimeout: 300_000 };
