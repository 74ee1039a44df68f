import preset from '../../jest.preset.mjs';

// These tests start and kill parser processes. On a loaded machine that takes minutes.
export default { ...preset, testTimeout: 300_000 };
