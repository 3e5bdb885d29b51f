import { tool } from "langchain";
import { z } from "zod";
import { notes, type Note } from "./corpus.ts";

function words(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? [];
}

function overlap(query: readonly string[], note: Note): number {
  const own = new Set(words(`${note.title} ${note.text}`));
  return query.filter((word) => own.has(word)).length;
}

/** Titles of the notes that share most words with a query. */
export const searchNotes = tool(
  ({ query }) => {
    const asked = words(query);
    const found = notes
      .map((note) => ({ note, score: overlap(asked, note) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 3);
    if (found.length === 0) return "No note matches.";
    return found.map(({ note }) => `${note.id}: ${note.title}`).join("\n");
  },
  {
    name: "search_notes",
    description: "Searches the archive and lists ids and titles of up to three notes.",
    schema: z.object({ query: z.string().describe("words to look for") }),
  },
);

/** The text of one note. */
export const readNote = tool(
  ({ id }) => notes.find((note) => note.id === id)?.text ?? `There is no note ${JSON.stringify(id)}.`,
  {
    name: "read_note",
    description: "Gives the text of a note.",
    schema: z.object({ id: z.string().describe("id of a note, as search_notes lists it") }),
  },
);
