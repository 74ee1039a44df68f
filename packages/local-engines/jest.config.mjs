import preset from '../../jest.preset.mjs';

// Engines are given up to 10 s to end, by twos, and start slowly where other work shares the machine.
export default { ...preset, testTimeout: 300_000 };
