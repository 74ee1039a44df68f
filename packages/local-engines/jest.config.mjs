import preset from '../../jest.preset.mjs';

// Engines are given up to 10 s to end, by twos.
export default { ...preset, testTimeout: 90_000 };
