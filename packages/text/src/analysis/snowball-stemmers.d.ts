declare module 'snowball-stemmers' {
  /** A stemmer of the Snowball project. `stem` expects a lower-case word. */
  interface Stemmer {
    stem(word: string): string;
  }
  const snowball: { newStemmer(algorithm: string): Stemmer; algorithms(): string[] };
  export default snowball;
}
