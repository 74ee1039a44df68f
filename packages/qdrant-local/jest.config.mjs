import preset from '../../jest.preset.mjs';

// These tests start and kill servers, and compare random queries. On a loaded machine that takes
// minutes.
export default { ...preset, testTimeout: 300_000 };
