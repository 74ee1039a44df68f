import { describe, expect, it } from '@jest/globals';
import { createDocument } from '#openapi/document';
import { OTHERS } from '#openapi/other-paths';
import { operations } from '#operations';
import { generatedModels } from './generated-models.ts';

const document = createDocument(operations, OTHERS);

describe('a generated client', () => {
  const models = generatedModels(document);

  // Inline schemas would each become a model: 919 models of 119 operations before they had names.
  it('has at most three models per operation, each with its own name', () => {
    expect(models.names.size).toBeLessThanOrEqual(3 * operations.length);
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
    // Sessions and apps are only listed. The provider of an authorization, the name of a tool and the id of an item are words.
    expect(unreached.map(({ id }) => id)).toEqual([
      'endOwnSession',
      'disconnectOwnApp',
      'disconnectApp',
      'updateServerTool',
      'getItem',
      'deleteItem',
      'completeOAuth',
    ]);
  });
});
