// The package's own types describe an ES module, but it is a CommonJS module.
declare module 'robots-parser' {
  interface Rules {
    /** Undefined for a URL of another site. */
    isAllowed(url: string, userAgent: string): boolean | undefined;
    /** In seconds. */
    getCrawlDelay(userAgent: string): number | undefined;
    getSitemaps(): string[];
  }
  export default function robotsParser(url: string, text: string): Rules;
}
