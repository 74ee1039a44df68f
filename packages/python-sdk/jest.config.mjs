import preset from '../../jest.preset.mjs';

/** mypy can take more than a minute without a cache. */
export default { ...preset, testTimeout: 300_000 };
