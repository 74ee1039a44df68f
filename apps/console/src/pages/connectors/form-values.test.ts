import { describe, expect, it } from '@jest/globals';
import { CONNECTOR_TYPES, type FieldSpec } from '#pages/connectors/connector-fields.ts';
import { toChange, toSettings, toValues } from '#pages/connectors/form-values.ts';

const FIELDS: readonly FieldSpec[] = [
  { name: 'channels', label: 'Channels', kind: 'list' },
  { name: 'dateRange.from', label: 'From', kind: 'date' },
  { name: 'dateRange.to', label: 'To', kind: 'date' },
  { name: 'port', label: 'Port', kind: 'number' },
];

describe('the settings of a connector in a form', () => {
  it('are sent as the API takes them, without what was left empty', () => {
    const values = { channels: '#a, #b\n\n#c', 'dateRange.from': '2026-01-01', port: '5432', 'dateRange.to': ' ' };
    expect(toSettings(FIELDS, values)).toEqual({
      channels: ['#a', '#b', '#c'],
      dateRange: { from: '2026-01-01' },
      port: 5432,
    });
  });

  it('come back as they were typed', () => {
    const settings = { channels: ['#a', '#b'], dateRange: { to: '2026-02-01' }, port: 5432 };
    expect(toSettings(FIELDS, toValues(FIELDS, settings))).toEqual(settings);
  });

  it('are removed where a field was emptied', () => {
    expect(toChange(FIELDS, { port: '1' })).toEqual({ channels: null, dateRange: null, port: 1 });
  });

  it('are asked for each type once', () => {
    const types = CONNECTOR_TYPES.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    expect(types).toHaveLength(9);
  });
});
