const PATHS = {
  search: 'M11 4a7 7 0 1 0 4.4 12.4l4.1 4.1 1.4-1.4-4.1-4.1A7 7 0 0 0 11 4Zm0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10Z',
  ask: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 2a7 7 0 1 1 0 14 7 7 0 0 1 0-14Zm-1 10h2v2h-2v-2Zm1-8.2A3.3 3.3 0 0 0 8.7 10h2a1.3 1.3 0 1 1 2 1.1c-1 .7-1.7 1.3-1.7 2.9h2c0-.7.3-1 .9-1.4A3.3 3.3 0 0 0 12 6.8Z',
  up: 'M2 10h4v11H2V10Zm6 0 4-8c1.7 0 3 1.3 3 3l-.6 4H20a2 2 0 0 1 2 2.4l-1.6 8a2 2 0 0 1-2 1.6H8V10Z',
  down: 'M22 14h-4V3h4v11Zm-6 0-4 8c-1.7 0-3-1.3-3-3l.6-4H4a2 2 0 0 1-2-2.4l1.6-8a2 2 0 0 1 2-1.6H16v11Z',
  chat: 'M4 4h16v12H9l-5 4V4Zm2 2v10l2.3-2H18V6H6Z',
  agent: 'M11 2h2v3h5v12H6V5h5V2ZM8 7v8h8V7H8Zm1.5 2h2v3h-2V9Zm3 0h2v3h-2V9ZM4 19h16v2H4v-2Z',
  collection: 'M3 5h7l2 2h9v12H3V5Zm2 2v10h14V9h-7.8l-2-2H5Z',
  connector: 'M8 2h2v5h4V2h2v5h2v5a6 6 0 0 1-5 5.9V22h-2v-4.1A6 6 0 0 1 6 12V7h2V2Zm0 7v3a4 4 0 0 0 8 0V9H8Z',
  synonym: 'M7 7h10l-3-3 1.4-1.4L20.8 8l-5.4 5.4L14 12l3-3H7V7Zm10 10H7l3 3-1.4 1.4L3.2 16l5.4-5.4L10 12l-3 3h10v2Z',
  model:
    'M12 2 3 6.5v11L12 22l9-4.5v-11L12 2Zm0 2.2 6.3 3.2L12 10.5 5.7 7.4 12 4.2ZM5 9.2l6 3v7.1l-6-3V9.2Zm8 10.1v-7.1l6-3v7.1l-6 3Z',
  key: 'M15 3a6 6 0 0 0-5.8 7.4L3 16.6V21h4.4v-2.5h2.5V16h2.2l1.5-1.5A6 6 0 1 0 15 3Zm0 2a4 4 0 1 1-1.8 7.6l-2 1.4H8v2.5H5.4V19H5v-1.6l6.6-6.5-.3-1A4 4 0 0 1 15 5Zm1.5 1.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Z',
  people:
    'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4Zm7 0v2a2 2 0 0 1 0 4v2a4 4 0 0 0 0-8ZM9 14c-3.3 0-7 1.6-7 4.5V20h14v-1.5C16 15.6 12.3 14 9 14Zm0 2c2.3 0 4.6 1 5 2H4c.4-1 2.7-2 5-2Zm8-1.7v2.1c1.6.4 2.8 1.1 3 1.6h-2v2h4v-1.5c0-2.3-2.4-3.8-5-4.2Z',
  chevron: 'm9.4 5.6 6.4 6.4-6.4 6.4L8 17l5-5-5-5 1.4-1.4Z',
  test: 'M4 4h16v16H4V4Zm2 2v12h12V6H6Zm4.8 10.4-3.2-3.2L9 11.8l1.8 1.8 4.2-4.2 1.4 1.4-5.6 5.6Z',
  question: 'M5 3h14l-3 5 3 5H7v8H5V3Zm2 2v6h8.5l-1.8-3 1.8-3H7Z',
  insights: 'm3 17 6-6 4 4 6.6-6.6H16v-2h7v7h-2V9.8l-8 8-4-4-4.6 4.6L3 17Z',
  usage: 'M4 3h2v16h15v2H4V3Zm4 9h3v5H8v-5Zm5-5h3v10h-3V7Zm5 3h3v7h-3v-7Z',
  audit: 'M5 3h10l4 4v14H5V3Zm2 2v14h10V8h-3V5H7Zm2 6h6v2H9v-2Zm0 4h6v2H9v-2Z',
  settings: 'M4 6h9v2H4V6Zm11-3h2v3h3v2h-3v3h-2V3ZM4 16h3v-3h2v8H7v-3H4v-2Zm7 0h9v2h-9v-2Z',
  menu: 'M4 6h16v2H4V6Zm0 5h16v2H4v-2Zm0 5h16v2H4v-2Z',
  close: 'm6.4 5 5.6 5.6L17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4 6.4 5Z',
  check: 'm9.5 16.2-4-4L4 13.6l5.5 5.5L20.5 8 19 6.6l-9.5 9.6Z',
  cross: 'm6.4 5 5.6 5.6L17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4 6.4 5Z',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} fill="currentColor" />
    </svg>
  );
}
