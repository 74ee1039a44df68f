/** The version of Qdrant whose REST API is implemented. Clients compare it with their own. */
export const qdrantVersion = '1.19.0';
