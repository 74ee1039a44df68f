import preset from '../../jest.engines.mjs';

// These tests start and kill services. On a loaded machine that takes minutes.
export default { ...preset, testTimeout: 300_000 };
