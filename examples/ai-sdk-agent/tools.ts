import { tool } from "ai";
import { z } from "zod";
import { notes, type Note } from "./notes.ts";

function words(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? [];
}

function overlap(query: readonly string[], note: Note): number {
  const own = new Set(words(`${note.title} ${note.text}`));
  return query.filter((word) => own.has(word)).length;
}

/** Titles of the notes that share most words with a query. */
export const searchNotes = tool({
  description: "Searches the archive and lists ids and titles of up to three notes.",
  inputSchema: z.object({ query: z.string().describe("words to look for") }),
  execute({ query }) {
    const asked = words(query);
    const found = notes
      .map((note) => ({ note, score: overlap(asked, note) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 3);
    return found.map(({ note: { id, title } }) => ({ id, title }));
  },
});

/** The text of one note. */
export const readNote = tool({
  description: "Gives the text of a note.",
  inputSchema: z.object({ id: z.string().describe("id of a note, as search_notes lists it") }),
  execute({ id }) {
    const note = notes.find((one) => one.id === id);
    if (note === undefined) throw new Error(`There is no note ${JSON.stringify(id)}.`);
    return note.text;
  },
});
