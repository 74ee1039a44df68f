import { describe, expect, it } from '@jest/globals';
import { CONNECTOR_TYPES } from '#pages/connectors/connector-fields.ts';
import { SET_UP_GUIDES } from '#pages/connectors/set-up-guides.ts';

describe('the guides of the connector forms', () => {
  it('exist for each type with a source outside of Lectern, and mark code in pairs', () => {
    const outside = CONNECTOR_TYPES.filter(
      ({ acceptsFiles, acceptsItems, type }) => type === 's3' || !(acceptsFiles || acceptsItems),
    );
    for (const { type } of outside) {
      const { steps = [] } = SET_UP_GUIDES[type] ?? {};
      expect([type, steps.length]).not.toEqual([type, 0]);
      for (const { text } of steps) expect(text.split('`').length % 2).toBe(1);
    }
  });
});
