export { default } from '../../jest.engines.mjs';
