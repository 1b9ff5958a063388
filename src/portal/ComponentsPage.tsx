export const ComponentsPage = () => null
