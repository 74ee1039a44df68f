import { describe, expect, it } from '@jest/globals';
import { createDocument } from '#openapi/document';
import { OTHERS } from '#openapi/other-paths';
import { operations } from '#operations';
import { generatedModels } from './generated-models.ts';

const document = createDocument(operations, OTHERS);

describe('a generated client', () => {
  const models = generatedModels(document);

  it('has at most 400 models, each with its own name', () => {
    expect(models.names.size).toBeLessThanOrEqual(400);
    expect(models.conflicts).toEqual([]);
  });

  it('has a name for each body, each event and each member of a union', () => {
    expect(models.inlineBodies).toEqual([]);
    expect(models.unnamed).toEqual([]);
  });
});

describe('the links of a response', () => {
  const responsesOf = (id: string) => {
    const methods = Object.values(document.paths).flatMap((path) => Object.values(path));
    const operation = methods.find((method) => Reflect.get(method, 'operationId') === id);
    const responses: unknown = Reflect.get(Object(operation), 'responses');
    return Object.values(Object(responses));
  };
  const linksOf = (id: string) => Object.assign({}, ...responsesOf(id).map((response) => Object(response).links ?? {}));

  it('lead from a created record to the operations that read, change and delete it', () => {
    const links = linksOf('createAgent');
    expect(Object.keys(links)).toEqual(expect.arrayContaining(['GetAgent', 'UpdateAgent', 'DeleteAgent']));
    expect(links.GetAgent).toMatchObject({ operationId: 'getAgent', parameters: { id: '$response.body#/data/id' } });
  });

  it('lead from a list to the operations that read or change its items', () => {
    const links = linksOf('listMemories');
    expect(links.GetMemory).toMatchObject({
      parameters: { id: '$response.body#/data/0/agentId', memoryId: '$response.body#/data/0/id' },
    });
    expect(Object.keys(links)).not.toContain('DeleteMemory');
  });

  it('reach each operation with ids in its path', () => {
    const linked = new Set(operations.flatMap(({ id }) => Object.keys(linksOf(id))));
    const unreached = operations.filter(
      ({ id, path }) => path.includes('{') && !linked.has(`${id.charAt(0).toUpperCase()}${id.slice(1)}`),
    );
    // Sessions are only listed, and the provider of an authorization is a word, not an id.
    expect(unreached.map(({ id }) => id)).toEqual(['endOwnSession', 'completeOAuth']);
  });
});
