# The sources are built here, with everything that building takes.
FROM node:22-bookworm-slim AS build
WORKDIR /backlot
COPY package.json package-lock.json ./
RUN npm install --no-audit --no-fund
COPY . .
# The client of a shared store is optional elsewhere; an image has it. As a development dependency npm would omit it.
RUN npm run build && npm prune --omit=dev && npm install --no-save --save-prod --omit=dev --no-audit --no-fund @redis/client@6
# Draws a picture and a video, and loads the client, so that an image that could not is not made.
RUN node dist/cli.js doctor && node -e "require('@redis/client')"

# What runs is the package and what it depends on.
FROM node:22-bookworm-slim
WORKDIR /backlot
ENV NODE_ENV=production
# The allocator of glibc keeps what pictures took once for each of its arenas, of which there are eight for each processor.
ENV MALLOC_ARENA_MAX=2
# Others reach a container by its network, so it listens beyond loopback; the control API then asks for a token.
ENV BACKLOT_HOST=0.0.0.0
ENV BACKLOT_PORT=4650
COPY --from=build /backlot/package.json /backlot/LICENSE ./
COPY --from=build /backlot/node_modules ./node_modules
COPY --from=build /backlot/assets ./assets
COPY --from=build /backlot/fixtures ./fixtures
COPY --from=build /backlot/scenarios ./scenarios
COPY --from=build /backlot/schemas ./schemas
COPY --from=build /backlot/dist ./dist
# Pictures and videos are drawn into the temporary folder; nothing else is written.
USER node
EXPOSE 4650
# There is no curl in a slim image, and none is needed.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD node dist/cli.js ready --url "http://127.0.0.1:${BACKLOT_PORT}"
ENTRYPOINT ["node", "dist/cli.js"]
CMD ["start"]
