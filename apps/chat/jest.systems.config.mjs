import { systemsConfig } from '../../jest.systems.mjs';

export default systemsConfig();
