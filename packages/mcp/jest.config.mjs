import preset from '../../jest.preset.mjs';

// The built package in `dist` has the same name as the workspace.
export default { ...preset, modulePathIgnorePatterns: ['<rootDir>/dist/'] };
