/** The version of Qdrant whose REST interface is spoken; clients compare it with their own. */
export const qdrantVersion = '1.19.0';
